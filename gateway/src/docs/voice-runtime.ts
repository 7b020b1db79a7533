// The protocol of the voice runtime as a page for people, folded from the contract. Committed as docs/voice-runtime.md.
import {
  BrowserRoom,
  CallContext,
  type Operation,
  operations,
  TelephoneRoom,
  TextTurnRequest,
  textTurnEvents,
} from '@parlance/contracts';
import { errorCodes } from '@parlance/errors';
import { type Json, Schemas } from './schemas.js';
import {
  opening,
  operationsIntroduction,
  schemasIntroduction,
  textTurnsIntroduction,
} from './voice-runtime-text.js';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const anchorOf = (name: string): string => `[${name}](#${name.toLowerCase()})`;
/** The text of one cell: a pipe is escaped and a line break becomes a space, because each would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Members of an object that a reader takes in without a table. */
const mostInOneLine = 4;

const credentials: Partial<Record<Operation['auth']['kind'], string>> = {
  internal: 'the internal key, `x-internal-key`',
  call: 'the token of the call, `Authorization: Bearer`',
};

const credentialOf = ({ auth }: Operation): string =>
  auth.kind === 'call' && auth.withInternalKey === true
    ? `${credentials.internal}, and ${credentials.call}`
    : `${credentials[auth.kind]}`;

const orderOf = ({ method, auth }: Operation): number => {
  if (method === 'GET') return 0;
  return auth.kind === 'call' ? 1 : 2;
};
/** The rows that a voice runtime uses, as they come in a call. */
const rows: readonly Operation[] = operations
  .filter(({ auth }) => credentials[auth.kind] !== undefined)
  .sort((left, right) => orderOf(left) - orderOf(right));

class Page {
  readonly #schemas = new Schemas();
  /** Schemas that the page names, and has to show. */
  readonly #named: string[] = [];

  build(): string {
    // No operation carries them, and they come first in a call.
    for (const schema of [CallContext, TelephoneRoom, BrowserRoom]) this.#shown(schema.array(), 'output');
    const sections = rows.map((row) => this.#operation(row));
    const parts = [opening, operationsIntroduction, ...sections, textTurnsIntroduction, this.#textTurns()];
    return [...parts, schemasIntroduction, ...this.#components()].join('\n');
  }

  /** The one request that the runtime answers itself. */
  #textTurns(): string {
    const events = Object.entries(textTurnEvents).map(
      ([event, data]) => `| \`${event}\` | ${cell(this.#shown(data, 'input'))} | ${data.description} |`,
    );
    const facts = [
      '- credential: the internal key, `x-internal-key`; a runtime refuses every other key with 401',
      `- body: ${this.#shown(TextTurnRequest, 'output')}`,
      '- answer: 200, `text/event-stream`, with the events below',
    ];
    const table = `| event | data | |\n|---|---|---|\n${events.join('\n')}`;
    return `${['### `POST /text-turns`', facts.join('\n'), table].join('\n\n')}\n`;
  }

  #operation(row: Operation): string {
    const parts = [
      { name: 'path', schema: row.params },
      { name: 'query', schema: row.query },
      { name: 'body', schema: row.body },
    ].flatMap(({ name, schema }) => (schema === undefined ? [] : [this.#part(name, schema)]));
    const again = row.repeatedSuccess === undefined ? '' : ` (${row.repeatedSuccess} when it came before)`;
    const facts = [
      `- credential: ${credentialOf(row)}`,
      ...parts.map(({ fact }) => fact),
      `- answer: ${row.success}${again}, ${this.#shown(row.data, 'output')}`,
      `- errors: ${this.#errors(row)}`,
    ];
    const tables = parts.flatMap(({ table }) => (table === undefined ? [] : [table]));
    const heading = `### \`${row.method} ${row.path}\``;
    return `${[heading, `${row.summary}.`, facts.join('\n'), ...tables].join('\n\n')}\n`;
  }

  /** Describes a part in one line where it fits there, else as a table. */
  #part(name: string, schema: Operation['data']): { readonly fact: string; readonly table?: string } {
    const json = this.#schemas.of(schema, 'input');
    const { properties } = json;
    if (!isObject(properties) || Object.keys(properties).length <= mostInOneLine)
      return { fact: `- ${name}: ${this.#type(json)}` };
    return { fact: `- ${name}: the table below`, table: this.#table(properties, listOf(json.required)) };
  }

  #errors({ errors }: Operation): string {
    if (errors.length === 0) return 'none of its own';
    return errors.map((code) => `${errorCodes[code].status} \`${code}\``).join(', ');
  }

  #shown(schema: Operation['data'], io: 'input' | 'output'): string {
    return this.#type(this.#schemas.of(schema, io));
  }

  /** A type in one line; named schemas as links. */
  #type(schema: unknown): string {
    if (!isObject(schema)) return 'anything';
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref.split('/').at(-1) ?? '');
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ');
    const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
    if (choices.length > 0) return [...new Set(choices.map((choice) => this.#type(choice)))].join(' or ');
    if (listOf(schema.allOf).length === 1) return this.#type(listOf(schema.allOf)[0]);
    if (schema.type === 'array') return `list of ${this.#type(schema.items)}`;
    if (isObject(schema.properties)) return this.#inline(schema.properties, listOf(schema.required));
    if (isObject(schema.additionalProperties)) return `map to ${this.#type(schema.additionalProperties)}`;
    const types = [schema.type].flat().filter((type) => typeof type === 'string');
    return types.length > 0 ? types.join(' or ') : 'anything';
  }

  #inline(properties: Json, required: readonly unknown[]): string {
    const members = Object.entries(properties).map(
      ([name, schema]) => `\`${name}${required.includes(name) ? '' : '?'}\`: ${this.#type(schema)}`,
    );
    return `{ ${members.join(', ')} }`;
  }

  #reference(name: string): string {
    if (name === 'Json') return 'any JSON value';
    if (!this.#named.includes(name)) this.#named.push(name);
    return anchorOf(name);
  }

  /** A schema may name others, which then are at the end of the list. */
  #components(): string[] {
    const shown: string[] = [];
    for (const name of this.#named) shown.push(this.#component(name, this.#schemas.components()[name]));
    return shown;
  }

  #component(name: string, schema: unknown): string {
    if (!isObject(schema) || !isObject(schema.properties)) return `### ${name}\n\n${this.#type(schema)}\n`;
    return `### ${name}\n\n${this.#table(schema.properties, listOf(schema.required))}\n`;
  }

  #table(properties: Json, required: readonly unknown[]): string {
    const lines = Object.entries(properties).map(([member, type]) => {
      const description = isObject(type) && typeof type.description === 'string' ? type.description : '';
      const mark = required.includes(member) ? '' : '?';
      return `| \`${member}${mark}\` | ${cell(this.#type(type))} | ${cell(description)} |`;
    });
    return `| member | type | |\n|---|---|---|\n${lines.join('\n')}`;
  }
}

export const buildVoiceRuntimePage = (): string => new Page().build();
