import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export interface ConnectSearch {
  /** An entry of the catalog; absent for a server of the organization's own. */
  readonly entry?: string;
}

// Not /mcp: programs ask the platform's own MCP server there.
export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/mcp-servers',
    component: lazyRouteComponent(() => import('./servers-screen.js'), 'ServersScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/mcp-servers/connect',
    validateSearch: ({ entry }: Record<string, unknown>): ConnectSearch =>
      typeof entry === 'string' && entry !== '' ? { entry } : {},
    component: lazyRouteComponent(() => import('./connect-screen.js'), 'ConnectScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/mcp-servers/$connectionId',
    component: lazyRouteComponent(() => import('./connection-screen.js'), 'ConnectionScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/mcp-servers', label: screenNames.mcpServers.title, area: 'build', icon: Plug, order: 40 },
];

export const actions: readonly PaletteAction[] = [
  { label: screenNames.mcpServers.connectOwn, to: '/mcp-servers/connect' },
];
