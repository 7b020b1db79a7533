// Header values of tools. A literal value may be a credential, so it is stored sealed, and readers see "•••".
import { originOfUrl, type ToolInput } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { validationError } from '@parlance/errors';
import {
  type HeaderPlace,
  keepHeader,
  openHeader,
  type SealedHeader,
  sealHeader,
  secretMentionsIn,
} from '@parlance/webhooks';

export const mask = '•••';

interface LiteralHeader extends SealedHeader {
  /** True when the value has placeholders, which have to be filled. */
  readonly isTemplate: boolean;
}

/** A text is a template that refers to a secret; an object with `sealed` is a literal value. */
export type StoredHeader = string | { readonly secretId: string } | LiteralHeader;
export type StoredHeaders = Readonly<Record<string, StoredHeader>>;

export interface ToolIdentity {
  readonly organizationId: string;
  readonly toolId: string;
}

/** The part of a request that says where its headers go. */
export interface StoredRequest {
  readonly url: string;
  readonly headers: StoredHeaders;
}

/** Where literal values of the headers of a request go. */
export const headerOwner = (
  { organizationId, toolId }: ToolIdentity,
  url: string,
): Omit<HeaderPlace, 'name'> => ({
  kind: 'tool',
  organizationId,
  ownerId: toolId,
  origin: originOfUrl(url) ?? '',
});

const placeOf = (tool: ToolIdentity, name: string, url: string): HeaderPlace => ({
  ...headerOwner(tool, url),
  name,
});

const sealedBefore = (stored: StoredHeaders, name: string): LiteralHeader => {
  const [, value] = Object.entries(stored).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (typeof value === 'object' && 'sealed' in value) return value;
  const path = `body.request.headers.${name}`;
  throw validationError([{ path, code: 'custom', message: `stands for a stored value, and there is none` }]);
};

/**
 * The headers as they are stored.
 * @param stored the request of the tool so far; "•••" keeps the stored value of a header
 * @throws AppError VALIDATION_ERROR for "•••" without a stored value; HEADER_VALUE_NEEDED for one that was given for another origin
 */
export const sealHeaders = (
  keyring: Keyring,
  tool: ToolIdentity,
  { url, headers }: Pick<ToolInput['request'], 'url' | 'headers'>,
  stored: StoredRequest | undefined,
): StoredHeaders => {
  const sealOne = (name: string, value: (typeof headers)[string]): StoredHeader => {
    if (typeof value !== 'string') return value;
    const place = placeOf(tool, name, url);
    if (value === mask) {
      const before = sealedBefore(stored?.headers ?? {}, name);
      const kept = { from: stored?.url ?? '', path: `request.headers.${name}` };
      return { ...keepHeader(keyring, before, place, kept), isTemplate: before.isTemplate };
    }
    if (secretMentionsIn(value).names.length > 0) return value;
    return { ...sealHeader(keyring, place, value), isTemplate: value.includes('{{') };
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

/** The value of a literal header, for a request that is about to be sent to the address. @throws CannotOpen */
export const openToolHeader = (
  keyring: Keyring,
  tool: ToolIdentity,
  { name, value, url }: { readonly name: string; readonly value: SealedHeader; readonly url: string },
): string => openHeader(keyring, placeOf(tool, name, url), value);
