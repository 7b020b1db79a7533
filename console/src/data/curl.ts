// The same request for a terminal, so that everything that the console does can be done by a program.
import { createClient, type Parts } from '@parlance/client';
import { baseUrl } from './client.js';
import type { OperationId, RequestOf } from './types.js';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const capture = async (id: OperationId, parts: Parts): Promise<{ url: string; init: RequestInit }> => {
  let captured = { url: '', init: {} as RequestInit };
  const options = {
    baseUrl,
    retries: 0,
    fetch: async (url: RequestInfo | URL, init: RequestInit = {}) => {
      captured = { url: String(url), init };
      return Response.json({ success: true, message: '', data: null });
    },
  };
  const [group = '', verb = ''] = id.split('.');
  // By its name, because the answer may be a file too, which `request` does not give.
  const methods = createClient(options) as unknown as Readonly<
    Record<string, Readonly<Record<string, (parts: Parts) => Promise<unknown>>>> // every method takes parts
  >;
  await methods[group]?.[verb]?.(parts);
  return captured;
};

const secretName = /password|secret$|token$|^code$|codes$|^setupcode$|^apikey$/i;
const kept = '•••'; // the platform keeps a stored value where it reads this

const hidden = (name: string, value: unknown): unknown =>
  typeof value === 'string' && value !== '' && value !== kept ? `<${name}>` : value;

/** A body in which names stand for secrets: by the name of a field, in headers, and where a parameter says so. */
const withoutSecrets = (value: unknown, secrets: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const isSensitive = 'sensitive' in value && value.sensitive === true;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (name === 'headers' && typeof one === 'object' && one !== null)
        return [name, Object.fromEntries(Object.entries(one).map(([key, text]) => [key, hidden(key, text)]))];
      const isSecret = secretName.test(name) || secrets.includes(name) || (isSensitive && name === 'value');
      return [name, isSecret && typeof one === 'string' ? hidden(name, one) : withoutSecrets(one, secrets)];
    }),
  );
};

/** People sign in for the operations of accounts; a program of theirs sends the session as a cookie. */
const callerOf = (id: OperationId): string =>
  id.startsWith('auth.')
    ? `-H "cookie: $PARLANCE_COOKIE" \\\n  -H ${quoted(`origin: ${new URL(baseUrl).origin}`)}`
    : '-H "x-api-key: $PARLANCE_API_KEY"';

/**
 * A command for curl with the caller as a variable of the shell. Nothing is sent.
 * @param secrets names of fields whose values the command leaves out, beside those that always are
 */
export const curlOf = async <Id extends OperationId>(
  id: Id,
  parts: RequestOf<Id>,
  secrets: readonly string[] = [],
): Promise<string> => {
  const { url, init } = await capture(id, parts as Parts);
  const method = init.method === 'GET' ? '' : ` -X ${init.method}`;
  const body =
    typeof init.body === 'string'
      ? ` \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(withoutSecrets(JSON.parse(init.body), secrets)))}`
      : '';
  return `curl -s${method} ${quoted(url)} \\\n  ${callerOf(id)}${body}`;
};
