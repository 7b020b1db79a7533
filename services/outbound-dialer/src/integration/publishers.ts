// Names of the checkpoints of those that tell other services. Under a new name, everything would be told again.

export const publishAttemptsId = 'publish-attempts';
export const publishCampaignsId = 'publish-campaigns';
