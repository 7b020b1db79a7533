// Around every screen: messages, questions, and where the focus goes on navigation.
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Confirmations } from '../components/confirm.js';
import { hasNavigated } from '../components/page.js';
import { Toasts } from '../components/toasts.js';
import { TooltipProvider } from '../components/tooltip.js';
import { OutageBanner } from './outage-banner.js';

export const Root = () => {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) hasNavigated.set(true);
      }),
    [router],
  );
  return (
    <TooltipProvider>
      <OutageBanner />
      <Outlet />
      <Confirmations />
      <Toasts />
    </TooltipProvider>
  );
};
