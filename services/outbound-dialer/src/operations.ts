// What operators can do to the streams and read models of this service.
import { eventSourcedService } from '@parlance/ops-cli';
import { campaignsReadModel } from './read-model/campaign-projection.js';
import { outboundCallsReadModel } from './read-model/outbound-call-projection.js';

export const operations = eventSourcedService({
  service: 'outbound-dialer',
  readModels: [outboundCallsReadModel, campaignsReadModel],
});
