// Every screen, one line each: its routes, its entries of the navigation and its actions of the palette.
import { registerNavigation } from './app/areas.js';
import { appRoute, guestRoute, rootRoute } from './app/root-routes.js';
import * as account from './screens/account/routes.js';
import * as agents from './screens/agents/routes.js';
import * as apiKeys from './screens/api-keys/routes.js';
import * as calls from './screens/calls/routes.js';
import * as campaigns from './screens/campaigns/routes.js';
import * as doNotCall from './screens/do-not-call/routes.js';
import * as entry from './screens/entry/routes.js';
import * as knowledge from './screens/knowledge/routes.js';
import * as mcpServers from './screens/mcp-servers/routes.js';
import * as members from './screens/members/routes.js';
import * as models from './screens/models/routes.js';
import * as numbers from './screens/numbers/routes.js';
import * as outboundCalls from './screens/outbound-calls/routes.js';
import * as overview from './screens/overview/routes.js';
import * as secrets from './screens/secrets/routes.js';
import * as settings from './screens/settings/routes.js';
import * as spend from './screens/spend/routes.js';
import * as tools from './screens/tools/routes.js';
import * as webhooks from './screens/webhooks/routes.js';
import * as widgets from './screens/widgets/routes.js';

export const routeTree = rootRoute.addChildren([
  guestRoute.addChildren([
    ...entry.routes, //
  ]),
  appRoute.addChildren([
    ...overview.routes, //
    ...agents.routes,
    ...webhooks.routes,
    ...campaigns.routes,
    ...numbers.routes,
    ...doNotCall.routes,
    ...knowledge.routes,
    ...tools.routes,
    ...secrets.routes,
    ...models.routes,
    ...settings.routes,
    ...account.routes,
    ...mcpServers.routes,
    ...widgets.routes,
    ...members.routes,
    ...apiKeys.routes,
    ...spend.routes,
    ...calls.routes,
    ...outboundCalls.routes,
  ]),
]);

registerNavigation(
  [
    ...overview.navigation, //
    ...agents.navigation,
    ...webhooks.navigation,
    ...campaigns.navigation,
    ...numbers.navigation,
    ...doNotCall.navigation,
    ...knowledge.navigation,
    ...tools.navigation,
    ...secrets.navigation,
    ...models.navigation,
    ...settings.navigation,
    ...account.navigation,
    ...mcpServers.navigation,
    ...widgets.navigation,
    ...members.navigation,
    ...apiKeys.navigation,
    ...spend.navigation,
    ...calls.navigation,
    ...outboundCalls.navigation,
  ],
  [
    ...agents.actions, //
    ...campaigns.actions,
    ...numbers.actions,
    ...tools.actions,
    ...models.actions,
    ...mcpServers.actions,
    ...widgets.actions,
    ...members.actions,
    ...apiKeys.actions,
    ...outboundCalls.actions,
  ],
);
