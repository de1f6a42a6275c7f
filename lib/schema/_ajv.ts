// ajv by itself, so that it can be loaded by itself: see `_validator.ts`.
export { Ajv } from "ajv";
export { Ajv2020 } from "ajv/dist/2020.js";
