import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import type { NavigationEntry } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { filterWords } from '../../strings/filter-words.js';
import { screenNames } from '../../strings/screen-names.js';

export type DeliveryState = keyof typeof filterWords.webhooks.states;

export interface WebhooksSearch {
  readonly state?: DeliveryState;
  readonly agentId?: string;
  readonly callId?: string;
  /** The message whose tries are shown. */
  readonly open?: string;
}

const stateOf = (value: unknown): DeliveryState | undefined =>
  (Object.keys(filterWords.webhooks.states) as DeliveryState[]).find((state) => state === value); // the keys of a literal

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/webhooks',
    validateSearch: (search: Record<string, unknown>): WebhooksSearch => {
      const state = stateOf(search.state);
      const textOf = (name: 'agentId' | 'callId' | 'open') => {
        const value = search[name];
        return typeof value === 'string' && value !== '' ? { [name]: value } : {};
      };
      return {
        ...(state === undefined ? {} : { state }),
        ...{ ...textOf('agentId'), ...textOf('callId'), ...textOf('open') },
      };
    },
    component: lazyRouteComponent(() => import('./webhooks-screen.js'), 'WebhooksScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/webhooks', label: screenNames.webhooks.title, area: 'build', icon: Webhook, order: 60 },
];
