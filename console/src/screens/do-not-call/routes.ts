import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { PhoneOff } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { screenNames } from '../../strings/screen-names.js';

export interface DoNotCallSearch {
  /** A whole number; without its plus, which addresses read as a space. */
  readonly number?: string;
}

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/do-not-call',
    validateSearch: ({ number }: Record<string, unknown>): DoNotCallSearch =>
      number === undefined || number === '' ? {} : { number: String(number) },
    component: lazyRouteComponent(() => import('./do-not-call-screen.js'), 'DoNotCallScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/do-not-call', label: screenNames.doNotCall.title, area: 'work', icon: PhoneOff, order: 30 },
];
