// The requester of an operation, as the gateway established it. Signed by the gateway, verified by every service.
import { z } from 'zod';

/** Organization, actor and rights of one request. `permissions` are the rights of this actor here and now. */
export const Caller = z.object({
  /** Empty only for requests that no organization stands behind, such as a webhook of the media server. */
  organizationId: z.string(),
  actor: z.discriminatedUnion('type', [
    z
      .object({ type: z.literal('user'), id: z.string() })
      .meta({ id: 'UserActor', description: 'A signed-in user.' }),
    z.object({ type: z.literal('key'), id: z.string() }).meta({ id: 'KeyActor', description: 'An API key.' }),
    z
      .object({ type: z.literal('platform'), id: z.string() })
      .meta({ id: 'PlatformActor', description: 'The platform itself; `id` is the service.' }),
    /** The voice runtime that holds the call with this id. */
    z
      .object({ type: z.literal('call'), id: z.string(), agentId: z.string() })
      .meta({ id: 'CallActor', description: 'The agent of a call.' }),
    /** A visitor of a website. `id` is a keyed digest of the address, `origin` the page's as the browser told it. */
    z
      .object({ type: z.literal('visitor'), id: z.string(), origin: z.string().nullable() })
      .meta({ id: 'VisitorActor', description: 'A visitor of a website with a widget.' }),
  ]),
  role: z.enum(['owner', 'admin', 'member', 'viewer', 'key', 'platform', 'call', 'visitor']),
  permissions: z.array(z.string()),
});
export type Caller = z.infer<typeof Caller>;
