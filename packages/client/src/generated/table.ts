// One operation in each line: id, method, path and flags. Written by `npm run gen` from the interface document; changes here are lost.

// b: has a body. k: takes an Idempotency-Key. l: answers a list. n: answers without an envelope. s: answers a stream. t: answers a text.
export const table = `
health.live GET /health
health.ready GET /ready
agents.create POST /agents bk
agents.list GET /agents l
agents.voiceCatalog GET /agents/voice/catalog
agents.previewSession POST /agents/{agentId}/preview-session bk
agents.startPreviewConversation POST /agents/{agentId}/preview-conversations bk
agents.sendPreviewMessage POST /agents/{agentId}/preview-conversations/{sessionId}/messages bs
agents.endPreviewConversation POST /agents/{agentId}/preview-conversations/{sessionId}/end k
agents.update PATCH /agents/{agentId} b
agents.delete DELETE /agents/{agentId}
agents.saveConfig POST /agents/{agentId}/config bk
agents.getConfig GET /agents/{agentId}/config
agents.listConfigVersions GET /agents/{agentId}/config/versions l
agents.getConfigVersion GET /agents/{agentId}/config/versions/{version}
agents.restoreConfigVersion POST /agents/{agentId}/config/versions/{version}/restore bk
numbers.search GET /numbers/search l
numbers.list GET /numbers l
numbers.buy POST /numbers bk
numbers.assign PATCH /numbers/{phId} b
numbers.release DELETE /numbers/{phId}
calls.list GET /calls l
calls.ingest POST /calls b
calls.live GET /calls/live l
calls.endLive POST /calls/live/end bk
calls.export GET /calls/export t
calls.get GET /calls/{callId}
calls.delete DELETE /calls/{callId}
calls.transcripts GET /calls/{callId}/transcripts l
calls.timeline GET /calls/{callId}/timeline
calls.progress POST /runtime/calls/{callId}/events b
calls.recordingUpload POST /runtime/calls/{callId}/recording b
dashboard.summary GET /dashboard/summary
outboundCalls.list GET /outbound-calls l
outboundCalls.quick POST /outbound-calls/quick bk
outboundCalls.batchUploadUrl GET /outbound-calls/batch-upload-url
outboundCalls.createBatch POST /outbound-calls/batches bk
outboundCalls.listBatches GET /outbound-calls/batches l
outboundCalls.previewBatch POST /outbound-calls/batches/preview b
outboundCalls.getBatch GET /outbound-calls/batches/{campaignId}
outboundCalls.batchOutcomes GET /outbound-calls/batches/{campaignId}/outcomes
outboundCalls.listRecipients GET /outbound-calls/batches/{campaignId}/recipients l
outboundCalls.exportRecipients GET /outbound-calls/batches/{campaignId}/recipients/export t
outboundCalls.cancelBatch POST /outbound-calls/batches/{campaignId}/cancel k
outboundCalls.status GET /outbound-calls/{outboundId}/status
outboundCalls.get GET /outbound-calls/{outboundId}
outboundCalls.delete DELETE /outbound-calls/{outboundId}
outboundCalls.timeline GET /outbound-calls/{outboundId}/timeline
outboundCalls.cancel POST /outbound-calls/{outboundId}/cancel k
outboundCalls.retry POST /outbound-calls/{outboundId}/retry k
knowledge.list GET /kb l
knowledge.create POST /kb bkl
knowledge.uploadUrl GET /kb/upload-url
knowledge.update PATCH /kb/{kbId} b
knowledge.delete DELETE /kb/{kbId}
knowledge.refresh POST /kb/{kbId}/refresh k
knowledge.search POST /kb/search bkl
knowledge.searchInCall POST /runtime/calls/{callId}/knowledge bl
tools.list GET /tools l
tools.create POST /tools bk
tools.listForAgent GET /tools/agent/{agentId} l
tools.update PATCH /tools/{toolId} b
tools.delete DELETE /tools/{toolId}
tools.test POST /tools/{toolId}/test bk
tools.runInCall POST /runtime/calls/{callId}/tools/{toolName} b
tools.attach POST /tools/{toolId}/attach/{agentId} k
tools.detach DELETE /tools/{toolId}/detach/{agentId}
secrets.list GET /secrets l
secrets.create POST /secrets bk
secrets.update PATCH /secrets/{secretId} b
secrets.rotate PUT /secrets/{secretId} b
secrets.delete DELETE /secrets/{secretId}
models.list GET /models l
models.create POST /models bk
models.get GET /models/custom/{modelName}
models.update PATCH /models/custom/{modelName} b
models.delete DELETE /models/custom/{modelName}
models.test POST /models/test b
models.forCall POST /runtime/calls/{callId}/models bl
widgets.listForAgent GET /agents/{agentId}/widgets l
widgets.create POST /agents/{agentId}/widgets bk
widgets.get GET /widgets/{widgetId}
widgets.update PATCH /widgets/{widgetId} b
widgets.delete DELETE /widgets/{widgetId}
widgets.publicConfig GET /public/widgets/{widgetId}/config
widgets.startSession POST /public/widgets/{widgetId}/sessions b
widgets.sendMessage POST /public/widgets/{widgetId}/sessions/{sessionId}/messages bs
widgets.endSession POST /public/widgets/{widgetId}/sessions/{sessionId}/end b
mcp.catalog GET /mcp/catalog l
mcp.connections GET /mcp/connections l
mcp.connect POST /mcp/connections bk
mcp.listForAgent GET /mcp/agent/{agentId} l
mcp.refresh POST /mcp/connections/{mcpConnectionId}/refresh k
mcp.update PATCH /mcp/connections/{mcpConnectionId} b
mcp.disconnect DELETE /mcp/connections/{mcpConnectionId}
mcp.approve POST /mcp/connections/{mcpConnectionId}/tools/{toolName}/approve bk
mcp.authorize GET /mcp/connections/{mcpConnectionId}/authorize
mcp.attach POST /mcp/connections/{mcpConnectionId}/attach/{agentId} k
mcp.detach DELETE /mcp/connections/{mcpConnectionId}/detach/{agentId}
mcp.execute POST /mcp/connections/{mcpConnectionId}/tools/{toolName}/execute bk
internal.agentConfig GET /agents/internal-config/{agentId}
internal.numberConfig GET /agents/number-config/{phoneNumber}
settings.get GET /settings
settings.update PATCH /settings b
suppressions.list GET /suppressions l
suppressions.create POST /suppressions bkl
suppressions.history GET /suppressions/history l
suppressions.addOfCall POST /runtime/calls/{callId}/do-not-call b
suppressions.delete DELETE /suppressions/{suppressionId}
spend.get GET /spend
spend.worstCase GET /spend/worst-case
storage.get GET /storage
caller.get GET /caller
people.delete DELETE /people/{phoneNumber}
people.erasure GET /people/erasures/{erasureId}
webhooks.deliveries GET /webhooks/deliveries l
webhooks.replay POST /webhooks/deliveries/{deliveryId}/replay bk
webhooks.test POST /webhooks/test bk
events.stream GET /events/stream s
auth.signUpEmail POST /auth/sign-up/email bn
auth.signInEmail POST /auth/sign-in/email bn
auth.signOut POST /auth/sign-out n
auth.getSession GET /auth/get-session n
auth.listSessions GET /auth/list-sessions n
auth.revokeSession POST /auth/revoke-session bn
auth.revokeSessions POST /auth/revoke-sessions n
auth.revokeOtherSessions POST /auth/revoke-other-sessions n
auth.changePassword POST /auth/change-password bn
auth.updateUser POST /auth/update-user bn
auth.deleteUser POST /auth/delete-user bn
auth.sendVerificationEmail POST /auth/send-verification-email bn
auth.requestPasswordReset POST /auth/request-password-reset bn
auth.resetPassword POST /auth/reset-password bn
auth.twoFactorEnable POST /auth/two-factor/enable bn
auth.twoFactorDisable POST /auth/two-factor/disable bn
auth.twoFactorVerifyTotp POST /auth/two-factor/verify-totp bn
auth.twoFactorVerifyBackupCode POST /auth/two-factor/verify-backup-code bn
auth.twoFactorGenerateBackupCodes POST /auth/two-factor/generate-backup-codes bn
auth.organizationRequireSecondFactor POST /auth/organization/require-second-factor bn
auth.organizationList GET /auth/organization/list n
auth.organizationCreate POST /auth/organization/create bkn
auth.organizationUpdate POST /auth/organization/update bn
auth.organizationDelete POST /auth/organization/delete bn
auth.organizationRemoval GET /auth/organization/removal n
auth.organizationSetActive POST /auth/organization/set-active bn
auth.organizationGetFull GET /auth/organization/get-full-organization n
auth.organizationListMembers GET /auth/organization/list-members n
auth.organizationUpdateMemberRole POST /auth/organization/update-member-role bn
auth.organizationRemoveMember POST /auth/organization/remove-member bn
auth.organizationLeave POST /auth/organization/leave bn
auth.organizationInviteMember POST /auth/organization/invite-member bkn
auth.organizationCancelInvitation POST /auth/organization/cancel-invitation bn
auth.organizationListInvitations GET /auth/organization/list-invitations n
auth.organizationAcceptInvitation POST /auth/organization/accept-invitation bn
auth.organizationRejectInvitation POST /auth/organization/reject-invitation bn
auth.organizationGetInvitation GET /auth/organization/get-invitation n
auth.organizationListUserInvitations GET /auth/organization/list-user-invitations n
auth.apiKeyCreate POST /auth/api-key/create bkn
auth.apiKeyList GET /auth/api-key/list n
auth.apiKeyUpdate POST /auth/api-key/update bn
auth.apiKeyDelete POST /auth/api-key/delete bn
auth.apiKeyRotate POST /auth/api-key/rotate bkn
`;
