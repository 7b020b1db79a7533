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
    description: 'Time zone, allowed countries, limits and calling window. Absent limits are null.',
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
    summary: "Change the organization's settings",
    description:
      'Another time zone takes effect at once, for calls of the past too. The limits of the operator bound the calls at the same time and the countries.',
    body: SettingsChange,
    data: Settings,
    message: 'Settings updated',
    errors: ['LIMIT_TOO_HIGH'],
  }),
} as const;
