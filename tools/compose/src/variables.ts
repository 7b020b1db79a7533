// The variables of a schema as people read them: names, defaults and the purpose of each.
import { derivationOf, type VariableMeta } from '@parlance/config';
import { z } from 'zod';

export interface Variable extends Omit<VariableMeta, 'otherwise' | 'derive'> {
  readonly name: string;
  readonly about: string;
  /** A process does not start without it. */
  readonly isRequired: boolean;
  /** It comes from the root secret when it is not set. */
  readonly isDerived?: boolean;
  /** As it would be written in the environment; undefined when leaving the variable out means something else. */
  readonly otherwise: string | undefined;
}

const asText = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
};

/** The schema under wrappers such as optional(), which lose the metadata of the field inside. */
const innermost = (field: z.ZodType): z.ZodType => {
  if (!(field instanceof z.ZodOptional || field instanceof z.ZodDefault)) return field;
  const inner = field.unwrap();
  return inner instanceof z.ZodType ? innermost(inner) : field;
};

const describeVariable = (name: string, field: z.ZodType): Variable => {
  const meta = z.globalRegistry.get(field);
  if (meta?.description === undefined)
    throw new Error(`${name} has no description; add describe() as its last call`);
  const absent = field.safeParse(undefined);
  const { otherwise } = meta;
  const inner = z.globalRegistry.get(innermost(field));
  const make = meta.make ?? inner?.make;
  return {
    name,
    about: meta.description,
    isRequired: !absent.success,
    otherwise: typeof otherwise === 'string' ? otherwise : absent.success ? asText(absent.data) : undefined,
    ...(meta.secret === true || inner?.secret === true ? { secret: true } : {}),
    ...(derivationOf(field) === undefined ? {} : { isDerived: true }),
    ...(typeof make === 'string' ? { make } : {}),
    ...(meta.testOnly === true ? { testOnly: true } : {}),
  };
};

/**
 * Every variable of a schema, in its order.
 * @throws Error naming a variable without a description
 */
export const variablesOf = (schema: z.ZodObject): readonly Variable[] =>
  Object.entries(schema.shape).map(([name, field]) => {
    if (field instanceof z.ZodType) return describeVariable(name, field);
    throw new Error(`${name} is not a field of this zod`);
  });
