import { withoutDialLimits } from '@parlance/fixtures';

/** Variables for the dialer's own speed. */
export const unpaced = { ...withoutDialLimits, MAX_CONCURRENT_CAMPAIGN_CALLS: '1000' };
