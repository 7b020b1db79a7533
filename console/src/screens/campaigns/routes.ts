import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Megaphone } from 'lucide-react';
import type { NavigationEntry, PaletteAction } from '../../app/areas.js';
import { appRoute } from '../../app/root-routes.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { type StepId, stepIds } from './wizard-steps.js';

export interface CampaignsSearch {
  /** Part of a name. */
  readonly name?: string;
  readonly state?: string;
}

export interface WizardSearch {
  /** The first step unless said. */
  readonly step?: StepId;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const routes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns',
    validateSearch: (search: Record<string, unknown>): CampaignsSearch => {
      const [name, state] = [textOf(search.name), textOf(search.state)];
      return {
        ...(name === undefined ? {} : { name }),
        ...(state !== undefined && state in strings.states ? { state } : {}),
      };
    },
    component: lazyRouteComponent(() => import('./campaigns-screen.js'), 'CampaignsScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns/new',
    validateSearch: ({ step }: Record<string, unknown>): WizardSearch => {
      const found = stepIds.find((id) => id === step);
      return found === undefined ? {} : { step: found };
    },
    component: lazyRouteComponent(() => import('./new-campaign-screen.js'), 'NewCampaignScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/campaigns/$campaignId',
    component: lazyRouteComponent(() => import('./campaign-screen.js'), 'CampaignScreen'),
  }),
] as const;

export const navigation: readonly NavigationEntry[] = [
  { to: '/campaigns', label: strings.title, area: 'work', icon: Megaphone, order: 20 },
];

export const actions: readonly PaletteAction[] = [{ label: strings.create, to: '/campaigns/new' }];
