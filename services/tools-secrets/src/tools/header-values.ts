// Header values of tools. A literal value may be a credential, so it is stored sealed, and readers see "•••".
import type { ToolInput } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { validationError } from '@parlance/errors';
import { secretMentionsIn } from '@parlance/webhooks';

export const mask = '•••';

interface SealedHeader {
  readonly sealed: string;
  /** True when the value has placeholders, which have to be filled. */
  readonly isTemplate: boolean;
}

/** A text is a template that refers to a secret; an object with `sealed` is a literal value. */
export type StoredHeader = string | { readonly secretId: string } | SealedHeader;
export type StoredHeaders = Readonly<Record<string, StoredHeader>>;

export interface ToolIdentity {
  readonly organizationId: string;
  readonly toolId: string;
}

const bindingOf = ({ organizationId, toolId }: ToolIdentity, name: string): string =>
  JSON.stringify(['tool header', organizationId, toolId, name.toLowerCase()]);

const sealedBefore = (stored: StoredHeaders, name: string): SealedHeader => {
  const [, value] = Object.entries(stored).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (typeof value === 'object' && 'sealed' in value) return value;
  const path = `body.request.headers.${name}`;
  throw validationError([{ path, code: 'custom', message: `stands for a stored value, and there is none` }]);
};

/**
 * The headers as they are stored.
 * @param stored the headers of the tool so far; "•••" keeps the stored value of a header
 * @throws AppError VALIDATION_ERROR for "•••" without a stored value
 */
export const sealHeaders = (
  keyring: Keyring,
  tool: ToolIdentity,
  headers: ToolInput['request']['headers'],
  stored: StoredHeaders,
): StoredHeaders => {
  const sealOne = (name: string, value: (typeof headers)[string]): StoredHeader => {
    if (typeof value !== 'string') return value;
    if (value === mask) return sealedBefore(stored, name);
    if (secretMentionsIn(value).names.length > 0) return value;
    const sealed = keyring.seal(Buffer.from(value, 'utf8'), bindingOf(tool, name));
    return { sealed, isTemplate: value.includes('{{') };
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, sealOne(name, value)] as const),
  );
};

/** The headers as readers see them. */
export const shownHeaders = (stored: StoredHeaders): ToolInput['request']['headers'] =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      if (typeof value === 'string') return [name, value] as const;
      return 'sealed' in value ? ([name, mask] as const) : ([name, { secretId: value.secretId }] as const);
    }),
  );

/** The bindings of the sealed values among the headers of a tool, by value. */
export const headerBindings = (
  tool: ToolIdentity,
  stored: StoredHeaders,
): readonly (readonly [sealed: string, binding: string])[] =>
  Object.entries(stored).flatMap(([name, value]) =>
    typeof value === 'object' && 'sealed' in value ? [[value.sealed, bindingOf(tool, name)] as const] : [],
  );

/** The value of a literal header, for a request that is about to be sent. @throws CannotOpen */
export const openHeader = (keyring: Keyring, tool: ToolIdentity, name: string, sealed: string): string =>
  keyring.open(sealed, bindingOf(tool, name)).toString('utf8');
