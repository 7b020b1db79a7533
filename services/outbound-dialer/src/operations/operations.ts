// The commands with which operators act on this service: on its streams and read models, on limits, rates and the
// operator's do-not-call list.
import { eventSourcedService } from '@parlance/ops';
import { applyErasures } from '../erasure/apply-erasures.js';
import { campaignsReadModel } from '../read-models/campaign-projection.js';
import { outboundCallsReadModel } from '../read-models/outbound-call-projection.js';
import { limitsCommand } from './limits-command.js';
import { ratesCommand } from './rates-command.js';
import { suppressionsCommand } from './suppressions-command.js';

export const operations = eventSourcedService({
  service: 'outbound-dialer',
  readModels: [outboundCallsReadModel, campaignsReadModel],
  applyErasures,
  commands: { limits: limitsCommand, rates: ratesCommand, suppressions: suppressionsCommand },
});
