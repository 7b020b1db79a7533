import { SettingsFacts } from '../values/agent-facts.js';
import { Settings, SettingsChange } from '../values/settings.js';
import { operation } from './operation.js';
import { hidden, org, orgAdmin } from './parts.js';

const common = {
  section: 'Extensions',
  service: 'agents-config',
  path: '/settings',
  success: 200,
  extension: true,
  mcp: hidden('an extension of the interface, for people'),
} as const;

export const settingsOperations = {
  settingsGet: operation({
    ...common,
    id: 'settings.get',
    method: 'GET',
    auth: org('settings:read'),
    bucket: 'read',
    summary: "Get the organization's settings",
    description:
      'Time zone, allowed countries, limits and calling window. A limit that is not set is null. The calling windows of the operator, the organization and a campaign hold together, and `namedTimezones` says whether a time zone in a campaign or a row adds to those of the number or replaces them.',
    data: Settings,
    message: 'Settings',
    errors: [],
  }),
  settingsUpdate: operation({
    ...common,
    id: 'settings.update',
    method: 'PATCH',
    auth: orgAdmin('settings:update'),
    bucket: 'write',
    summary: "Update the organization's settings",
    description:
      "A new time zone applies immediately, to past calls as well. The operator's limits on concurrent calls and countries still apply.",
    body: SettingsChange,
    composed: SettingsFacts,
    data: Settings,
    message: 'Settings updated',
    errors: ['LIMIT_TOO_HIGH'],
  }),
} as const;
