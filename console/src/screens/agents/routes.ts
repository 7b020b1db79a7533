import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { type AgentTab, isAgentTab } from './tabs.js';

export interface AgentsSearch {
  /** Part of a name. */
  readonly name?: string;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/agents',
    validateSearch: ({ name }: Record<string, unknown>): AgentsSearch =>
      typeof name === 'string' && name !== '' ? { name } : {},
    component: lazyRouteComponent(() => import('./agents-screen.js'), 'AgentsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/agents/new',
    component: lazyRouteComponent(() => import('./new-agent-screen.js'), 'NewAgentScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/agents/$agentId',
    validateSearch: ({ tab }: Record<string, unknown>): { readonly tab?: AgentTab } =>
      isAgentTab(tab) ? { tab } : {},
    component: lazyRouteComponent(() => import('./agent-screen.js'), 'AgentScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/agents', label: screenNames.agents.title, area: 'build', icon: Bot, order: 0 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.agents.create, to: '/agents/new' }];
