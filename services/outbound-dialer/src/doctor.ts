// The doctor's check of this service's checkpoints: `npm run doctor` finds it here.
import { type Check, checkpointsCheck } from '@parlance/doctor';

export const checks: readonly Check[] = [
  checkpointsCheck({
    of: 'outbound-dialer',
    followers: async () => (await import('./followers.js')).followers,
  }),
];
