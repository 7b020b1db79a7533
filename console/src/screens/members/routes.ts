import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export interface MembersSearch {
  /** The dialog for an invitation is open. */
  readonly invite?: true;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/members',
    validateSearch: ({ invite }: Record<string, unknown>): MembersSearch =>
      invite === true ? { invite } : {},
    component: lazyRouteComponent(() => import('./members-screen.js'), 'MembersScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/members', label: screenNames.members.title, area: 'account', icon: Users, order: 10 },
];

export const actions: readonly PaletteAction[] = [{ label: screenNames.members.invite, to: '/members' }];
