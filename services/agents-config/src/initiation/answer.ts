// The answer of an initiation webhook, read as kindly as possible. Understood fields are taken. Other fields are left
// out and named by their place alone.
import { isEmptyValue, metadata, Overridable, stringMap } from '@parlance/contracts';
import { EgressFailure, parseForeignJson } from '@parlance/egress';
import { LosslessNumber } from '@parlance/json';

type Metadata = ReturnType<typeof metadata.parse>;

export interface InitiationAnswer {
  readonly action: 'continue' | 'reject';
  readonly dynamicVariables: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Partial<Record<Overridable, string>>>;
  readonly metadata: Metadata;
  /** Fields that were there and could not be taken. */
  readonly ignored: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

export const emptyAnswer: InitiationAnswer = {
  action: 'continue',
  dynamicVariables: {},
  overrides: {},
  metadata: {},
  ignored: [],
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Numbers and switches are written as text; an empty value is absent. Values that do not fit are left out, one by one. */
const variablesIn = (value: unknown, ignored: string[]): Record<string, string> => {
  if (isAbsent(value)) return {};
  const taken: Record<string, string> = {};
  let all = isObject(value);
  for (const [name, given] of isObject(value) ? Object.entries(value) : []) {
    const isWritten =
      typeof given === 'number' || typeof given === 'boolean' || given instanceof LosslessNumber;
    const text = isWritten ? String(given) : given;
    if (isAbsent(text) || (typeof text === 'string' && isEmptyValue(text))) continue;
    const parsed = stringMap.safeParse({ ...taken, [name]: text });
    if (parsed.success) Object.assign(taken, { [name]: text });
    else all = false;
  }
  if (!all) ignored.push('dynamicVariables');
  return taken;
};

const overridesIn = (value: unknown, ignored: string[]): InitiationAnswer['overrides'] => {
  if (isAbsent(value)) return {};
  if (!isObject(value)) {
    ignored.push('overrides');
    return {};
  }
  const taken: Partial<Record<Overridable, string>> = {};
  for (const name of Overridable.options) {
    const given = value[name];
    if (typeof given === 'string') taken[name] = given;
    else if (!isAbsent(given)) ignored.push(`overrides.${name}`);
  }
  return taken;
};

const metadataIn = (value: unknown, ignored: string[]): Metadata => {
  const parsed = metadata.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  ignored.push('metadata');
  return {};
};

const actionIn = (value: unknown, ignored: string[]): InitiationAnswer['action'] => {
  if (value === 'reject') return 'reject';
  if (!isAbsent(value) && value !== 'continue') ignored.push('action');
  return 'continue';
};

/**
 * Reads the body of an answer; an empty body is an empty answer.
 * @throws EgressFailure `bad_response` for a body that is no JSON object
 */
export const readAnswer = (body: Buffer, contentType?: string): InitiationAnswer => {
  if (body.toString('utf8').trim() === '') return emptyAnswer;
  const fields = parseForeignJson(body, contentType);
  if (!isObject(fields)) throw new EgressFailure('bad_response');
  const ignored: string[] = [];
  return {
    action: actionIn(fields.action, ignored),
    dynamicVariables: variablesIn(fields.dynamicVariables ?? fields.dynamic_variables, ignored),
    overrides: overridesIn(fields.overrides, ignored),
    metadata: metadataIn(fields.metadata, ignored),
    ignored,
  };
};
