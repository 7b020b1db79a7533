// What operators can do to this service: to its streams and read models, to limits and to rates.
import { eventSourcedService } from '@parlance/ops-cli';
import { limitsCommand } from './limits/limits-command.js';
import { campaignsReadModel } from './read-model/campaign-projection.js';
import { outboundCallsReadModel } from './read-model/outbound-call-projection.js';
import { ratesCommand } from './spend/rates-command.js';

export const operations = eventSourcedService({
  service: 'outbound-dialer',
  readModels: [outboundCallsReadModel, campaignsReadModel],
  commands: { limits: limitsCommand, rates: ratesCommand },
});
