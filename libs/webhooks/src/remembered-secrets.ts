// Secrets with a memory of those that were opened, for one request: the receiver's answer is shown without them.
import { Masking } from './masking.js';
import type { WebhookSecrets } from './secrets.js';

export interface RememberedSecrets {
  readonly secrets: WebhookSecrets;
  /** The masking of every value that was opened so far. */
  readonly masking: () => Masking;
}

export const remembering = (secrets: WebhookSecrets): RememberedSecrets => {
  const opened = new Set<string>();
  const noted = (value: string): string => {
    opened.add(value);
    return value;
  };
  return {
    masking: () => new Masking(opened),
    secrets: {
      signing: async (organizationId, secretId) =>
        (await secrets.signing(organizationId, secretId)).map(noted),
      open: async (organizationId, use) => {
        const { byId, byName } = await secrets.open(organizationId, use);
        return { byId: (id) => noted(byId(id)), byName: (name) => noted(byName(name)) };
      },
      header: (sealed, place) => noted(secrets.header(sealed, place)),
    },
  };
};
