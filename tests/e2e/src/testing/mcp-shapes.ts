// The shapes against which MCP clients check answers. A client compiles the shape of a tool's answer anew after each
// list of tools. That takes longer than the answer does and is kept for ever. Here each shape is compiled once for all
// clients.
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

class Shapes extends AjvJsonSchemaValidator {
  readonly #compiled = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(shape: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(shape);
    const compiled = this.#compiled.get(text) ?? super.getValidator<unknown>(shape);
    this.#compiled.set(text, compiled);
    return compiled as JsonSchemaValidator<T>; // T is the caller's own claim about its shape
  }
}

export const shapes = new Shapes();
