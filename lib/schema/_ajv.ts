// ajv in a module of its own, so that the executable can load it apart: see `compile.ts`.
export { Ajv } from "ajv";
export { Ajv2020 } from "ajv/dist/2020.js";
