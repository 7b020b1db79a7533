// Access to each operation, one in each line: id, kind, flags and permissions. Written by `npm run gen` from the contract;
// changes here are lost.

// Kinds org: one of the permissions. orgAdmin: owner or admin, with all of them. v: takes a verified address. k: takes an
// Idempotency-Key.
export const accessTable = `
health.live none -
health.ready none -
agents.create org k agent:create
agents.list org - agent:read
agents.voiceCatalog org - agentConfiguration:read
agents.previewSession org vk agent:try
agents.startPreviewConversation org vk agent:try
agents.sendPreviewMessage org k agent:try
agents.endPreviewConversation org k agent:try
agents.update org - agent:update
agents.delete org - agent:delete
agents.saveConfig org k agentConfiguration:create agentConfiguration:update
agents.getConfig org - agentConfiguration:read
agents.listConfigVersions org - agentConfiguration:read
agents.getConfigVersion org - agentConfiguration:read
agents.restoreConfigVersion org k agentConfiguration:update
numbers.search org - phoneNumber:create
numbers.list org - phoneNumber:read
numbers.buy orgAdmin vk phoneNumber:create billing:manage
numbers.assign orgAdmin v phoneNumber:update billing:manage
numbers.release orgAdmin - phoneNumber:delete billing:manage
calls.list org - callLogs:read
calls.live org - callLogs:read
calls.endLive org k callLogs:delete
calls.export org - callLogs:read
calls.get org - callLogs:read
calls.delete org - callLogs:delete
calls.transcripts org - callLogs:read
calls.timeline org - callLogs:read
dashboard.summary org - callLogs:read
outboundCalls.list org - outboundCalls:read
outboundCalls.quick org vk outboundCalls:create
outboundCalls.batchUploadUrl org v outboundCalls:create
outboundCalls.createBatch org vk outboundCalls:create
outboundCalls.previewBatch org k outboundCalls:create
outboundCalls.listBatches org - outboundCalls:read
outboundCalls.getBatch org - outboundCalls:read
outboundCalls.batchOutcomes org - outboundCalls:read
outboundCalls.listRecipients org - outboundCalls:read
outboundCalls.exportRecipients org - outboundCalls:read
outboundCalls.cancelBatch org k outboundCalls:delete
outboundCalls.status org - outboundCalls:read
outboundCalls.get org - outboundCalls:read
outboundCalls.timeline org - outboundCalls:read
outboundCalls.cancel org k outboundCalls:delete
outboundCalls.retry org vk outboundCalls:create
outboundCalls.delete org - callLogs:delete
knowledge.list org - knowledgeSource:read
knowledge.create org vk knowledgeSource:create
knowledge.uploadUrl org v knowledgeSource:create
knowledge.update org v knowledgeSource:update
knowledge.refresh org vk knowledgeSource:update
knowledge.search org k knowledgeSource:read
knowledge.delete org - knowledgeSource:delete
tools.list org - tools:read
tools.listForAgent org - tools:read
tools.create org k tools:create
tools.update org - tools:update
tools.delete org - tools:delete
tools.test org vk tools:update
tools.attach org k tools:update
tools.detach org - tools:update
secrets.list org - secrets:read
secrets.create org k secrets:create
secrets.update org - secrets:use
secrets.rotate org - secrets:create
secrets.delete org - secrets:delete
models.list org - tools:read
models.create org k tools:create
models.get org - tools:read
models.update org - tools:update
models.delete org - tools:delete
models.test org vk tools:update
widgets.listForAgent org - agentWidget:read
widgets.create org vk agentWidget:create
widgets.get org - agentWidget:read
widgets.update org v agentWidget:update
widgets.delete org - agentWidget:delete
mcp.catalog org - tools:read
mcp.connections org - tools:read
mcp.listForAgent org - tools:read
mcp.connect org vk tools:create
mcp.refresh org vk tools:update
mcp.update org v tools:update
mcp.approve org k tools:update
mcp.authorize org v tools:update
mcp.disconnect org - tools:delete
mcp.attach org k tools:update
mcp.detach org - tools:update
mcp.execute org vk tools:run
settings.get org - settings:read
settings.update orgAdmin - settings:update
suppressions.list org - outboundCalls:read
suppressions.history org - outboundCalls:read
suppressions.create org k outboundCalls:create
suppressions.delete org - outboundCalls:delete
spend.get org - callLogs:read
spend.worstCase org - outboundCalls:create
storage.get orgAdmin - settings:read
caller.get member -
people.delete org - people:delete
people.erasure org - people:delete
webhooks.deliveries org - callLogs:read
webhooks.replay org vk agentConfiguration:update
webhooks.test org vk agentConfiguration:update
events.stream org - callLogs:read outboundCalls:read agent:read agentConfiguration:read phoneNumber:read knowledgeSource:read tools:read secrets:read agentWidget:read settings:read
auth.signUpEmail anybody -
auth.signInEmail anybody -
auth.signOut anybody -
auth.getSession anybody -
auth.listSessions person -
auth.revokeSession person -
auth.revokeSessions person -
auth.revokeOtherSessions person -
auth.changePassword person -
auth.updateUser person -
auth.deleteUser person -
auth.sendVerificationEmail anybody -
auth.verifyEmail anybody -
auth.requestPasswordReset anybody -
auth.resetPassword anybody -
auth.twoFactorEnable person -
auth.twoFactorDisable person -
auth.twoFactorVerifyTotp anybody -
auth.twoFactorVerifyBackupCode anybody -
auth.twoFactorGenerateBackupCodes person -
auth.organizationRequireSecondFactor ownerOrAdmin -
auth.organizationList person -
auth.organizationCreate person -
auth.organizationUpdate ownerOrAdmin -
auth.organizationDelete ownerOrAdmin -
auth.organizationRemoval person -
auth.organizationSetActive person -
auth.organizationGetFull person -
auth.organizationListMembers person -
auth.organizationUpdateMemberRole ownerOrAdmin -
auth.organizationRemoveMember ownerOrAdmin -
auth.organizationLeave person -
auth.organizationInviteMember ownerOrAdmin v
auth.organizationCancelInvitation ownerOrAdmin -
auth.organizationListInvitations ownerOrAdmin -
auth.organizationAcceptInvitation person v
auth.organizationRejectInvitation person v
auth.organizationGetInvitation person v
auth.organizationListUserInvitations person v
auth.apiKeyCreate ownerOrAdmin v
auth.apiKeyList ownerOrAdmin -
auth.apiKeyUpdate ownerOrAdmin -
auth.apiKeyDelete ownerOrAdmin -
auth.apiKeyRotate ownerOrAdmin v
`;
