import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';
import { type KeyState, keyStates } from './key-state.js';

export interface KeysSearch {
  readonly state?: KeyState;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/api-keys',
    validateSearch: ({ state }: Record<string, unknown>): KeysSearch => {
      const known = keyStates.find((one) => one === state);
      return known === undefined ? {} : { state: known };
    },
    component: lazyRouteComponent(() => import('./keys-screen.js'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/api-keys/new',
    component: lazyRouteComponent(() => import('./new-key-screen.js'), 'NewKeyScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/api-keys', label: screenNames.apiKeys.title, area: 'account', icon: KeyRound, order: 20 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.apiKeys.create, to: '/api-keys/new' }];
