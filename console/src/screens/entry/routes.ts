// The ways in. The addresses under /account are in mails of the platform.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { guestRoute } from '../../app/root-routes.js';
import { readSession } from '../../app/session.js';
import { pathOfOurs } from './next-path.js';

const route = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => guestRoute, path, component });

export const routes = [
  createRoute({
    getParentRoute: () => guestRoute,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>): { next?: string } => {
      const next = pathOfOurs(search.next, location.origin);
      return next === undefined ? {} : { next };
    },
    // A signed-in person comes here by a step back, and has nothing to do here.
    beforeLoad: async ({ search: { next = '/' } }) => {
      if ((await readSession()) !== undefined) throw redirect({ href: next, replace: true });
    },
    component: lazyRouteComponent(() => import('./sign-in-screen.js'), 'SignInScreen'),
  }),
  route(
    '/set-up',
    lazyRouteComponent(() => import('./set-up-screen.js'), 'SetUpScreen'),
  ),
  route(
    '/sign-up',
    lazyRouteComponent(() => import('./set-up-screen.js'), 'SignUpScreen'),
  ),
  route(
    '/account/reset-password',
    lazyRouteComponent(() => import('./reset-password-screen.js'), 'ResetPasswordScreen'),
  ),
  route(
    '/account/invitation',
    lazyRouteComponent(() => import('./invitation-screen.js'), 'InvitationScreen'),
  ),
] as const;
