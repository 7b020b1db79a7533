// Everything in this service that follows streams, each with the name of its checkpoint.
import { campaignsReadModel } from '../read-models/campaign-projection.js';
import { outboundCallsReadModel } from '../read-models/outbound-call-projection.js';
import { campaignCategory } from '../repositories/campaign-repository.js';
import { outboundCallCategory } from '../repositories/outbound-call-repository.js';
import { publishAttemptsId, publishCampaignsId } from './publishers.js';
import { spendFollowerId } from './spend-follower.js';

export const followers = [
  ...[outboundCallsReadModel.id, spendFollowerId, publishAttemptsId].map((id) => ({
    ...{ id, category: outboundCallCategory },
  })),
  ...[campaignsReadModel.id, publishCampaignsId].map((id) => ({ id, category: campaignCategory })),
];
