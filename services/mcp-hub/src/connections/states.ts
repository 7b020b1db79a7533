// The words for readers when a server cannot be used: the reason, and the step that mends it.
import type { McpConnection } from '@parlance/contracts';
import type { FailureReason } from '../protocol/failures.js';

interface Trouble {
  readonly status: Extract<McpConnection['status'], 'error' | 'auth_required'>;
  readonly lastError: string;
  readonly advice: string;
}

const itself = 'The platform tries again by itself.';
const askOwner = `Ask the operator of the server. ${itself}`;

const troubles: Readonly<Record<FailureReason, Omit<Trouble, 'status'>>> = {
  timeout: {
    lastError: 'The server did not answer in time.',
    advice: `See whether the server runs. ${itself}`,
  },
  auth_required: {
    lastError: 'The server does not accept the credentials of this connection.',
    advice: 'Give the connection other credentials, or authorize it again.',
  },
  secret_missing: {
    lastError: 'A secret of this connection does not exist.',
    advice: 'Give the connection another secret.',
  },
  secret_not_allowed: {
    lastError: 'A secret of this connection is not allowed for the origin of the server.',
    advice: 'An owner or admin can allow the origin for the secret.',
  },
  address_not_allowed: {
    lastError: 'The address of the server leads to a place that the platform does not call.',
    advice: 'Connect the server by an address on the internet.',
  },
  redirected: {
    lastError: 'The server sends requests on to another place.',
    advice: 'Connect the address that the server really has.',
  },
  unreachable: {
    lastError: 'The server cannot be reached, or it breaks off.',
    advice: `See whether the server runs, and whether its address is right. ${itself}`,
  },
  tls: { lastError: 'The certificate of the server is not valid for its address.', advice: askOwner },
  too_large: { lastError: 'The answer of the server is too large.', advice: askOwner },
  too_many_tools: {
    lastError: 'The server has more than 256 tools.',
    advice: 'Connect a server with fewer tools, or let its operator offer a part of them.',
  },
  session_lost: {
    lastError: 'Nothing of MCP is at this address.',
    advice: 'See whether the address and the transport of the connection are right.',
  },
  bad_status: { lastError: 'The server answers with an error.', advice: askOwner },
  bad_response: {
    lastError: 'The answer of the server is not MCP as the platform knows it.',
    advice: `See whether the transport of the connection is right. ${itself}`,
  },
  platform: { lastError: 'The platform itself could not ask the server.', advice: itself },
};

export const troubleOf = (reason: FailureReason): Trouble => ({
  status:
    reason === 'auth_required' || reason === 'secret_missing' || reason === 'secret_not_allowed'
      ? 'auth_required'
      : 'error',
  ...troubles[reason],
});
