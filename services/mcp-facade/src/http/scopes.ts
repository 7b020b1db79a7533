// Scopes of access tokens. A client that has too few can ask its person for more, if it is told which (step-up authorization). API
// keys have none to ask for: their refusal is the answer of the tool.
import type { CallerView, Operation } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { requestAt, resources } from '../fold/resources.js';
import { tools } from '../fold/tools.js';

const needed = ({ auth }: Operation): readonly string[] => (auth.kind === 'org' ? auth.anyOf : []);

/** All scopes that the tools and resources know. */
export const scopes: readonly string[] = [
  ...new Set([...tools.values(), ...resources.values()].flatMap(({ row }) => needed(row))),
].sort();

const rowOf = (address: unknown): Operation | undefined => {
  try {
    return typeof address === 'string' ? requestAt(address)?.resource.row : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined; // a bad field of the address; the answer says so
    throw error;
  }
};

/** The operation that a message asks for. */
const asked = (message: unknown): Operation | undefined => {
  const { method, params }: { method?: unknown; params?: unknown } = Object(message);
  const { name, uri }: { name?: unknown; uri?: unknown } = Object(params);
  if (method === 'tools/call') return tools.get(String(name))?.row;
  return method === 'resources/read' ? rowOf(uri) : undefined;
};

/** @throws AppError PERMISSION_DENIED that names the scopes, of which the token needs one */
export const requireScopes = ({ actor, permissions }: CallerView, message: unknown): void => {
  if (actor.type !== 'user') return;
  const row = asked(message);
  const required = row === undefined ? scopes : needed(row);
  if (required.length > 0 && !required.some((scope) => permissions.some((held) => held === scope)))
    throw new AppError('PERMISSION_DENIED', { details: { required } });
};
