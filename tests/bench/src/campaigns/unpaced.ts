/** Variables for the dialer's own speed: the provider's pace and the operator's limits are out of the way. */
export const unpaced = {
  TWILIO_CALLS_PER_SECOND: '1000',
  MAX_CONCURRENT_CAMPAIGN_CALLS: '1000',
  ORGANIZATION_MAX_CONCURRENT_CALLS: 'none',
  ORGANIZATION_SPEND_PER_DAY: 'none',
  ORGANIZATION_SPEND_PER_MONTH: 'none',
  CALLING_WINDOW: 'none',
  DAILY_ATTEMPTS_PER_NUMBER: 'none',
  INSTALLATION_SPEND_PER_DAY: 'none',
  INSTALLATION_SPEND_PER_MONTH: 'none',
  INSTALLATION_MAX_NUMBERS: 'none',
  INSTALLATION_MAX_CONCURRENT_CALLS: 'none',
};
