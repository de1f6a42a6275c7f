// @ts-self-types="./vendor.d.ts"
// For the type checker and the linter: a browser gets the package's own bytes in place of this.
export * from "htm/preact/standalone";
