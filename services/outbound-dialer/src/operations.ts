// The commands with which operators act on this service: on its streams and read models, on limits and on rates.
import { eventSourcedService } from '@parlance/ops';
import { limitsCommand } from './limits/limits-command.js';
import { campaignsReadModel } from './read-model/campaign-projection.js';
import { outboundCallsReadModel } from './read-model/outbound-call-projection.js';
import { ratesCommand } from './spend/rates-command.js';

export const operations = eventSourcedService({
  service: 'outbound-dialer',
  readModels: [outboundCallsReadModel, campaignsReadModel],
  commands: { limits: limitsCommand, rates: ratesCommand },
});
