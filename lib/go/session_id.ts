const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const LENGTH = 26;

/**
 * Makes a session id like those of the Go SDK: 26 characters of base32, 130 random bits from a
 * cryptographic source (Go's `crypto/rand.Text`).
 */
export function newSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
