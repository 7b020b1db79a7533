// One tool as a model reads it, with its changes since it was approved.
import { isApiError } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { CodeBlock, DiffView } from '../../components/code.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNote } from '../../components/error-note.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { invalidate } from '../../data/queries.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { awaitsPerson, definitionText, type Tool } from './connection-facts.js';

const Changes = ({ tool }: { readonly tool: Tool }) => {
  const { approvedDefinition: before = null } = tool;
  if (!tool.changedSinceApproval || before === null) {
    return (
      <>
        {tool.changedSinceApproval && <Notice tone="attention">{strings.beforeUnknown}</Notice>}
        <CodeBlock code={definitionText(tool)} name={strings.definition} />
      </>
    );
  }
  return (
    <section aria-label={strings.difference}>
      <h3 className="mb-1 font-semibold">{strings.difference}</h3>
      <DiffView before={definitionText(before)} after={definitionText(tool)} />
    </section>
  );
};

export const ToolDialog = ({
  connectionId,
  tool,
  onClose,
}: {
  readonly connectionId: string;
  readonly tool: Tool;
  readonly onClose: () => void;
}) => {
  const approve = useCommand('mcp.approve');
  const [error, setError] = useState<unknown>();
  const waits = awaitsPerson(tool);
  const request = {
    params: { mcpConnectionId: connectionId, toolName: tool.name },
    body: { hash: tool.hash },
  };
  const run = async (): Promise<void> => {
    setError(undefined);
    try {
      await approve.mutateAsync(request);
      toast.done(strings.approved(tool.name));
      onClose();
    } catch (failure) {
      setError(failure);
      // Shows the tool as it is now, for another look.
      if (isApiError(failure, 'CONFLICT')) await invalidate('mcp.');
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={waits ? strings.approveTitle(tool.name) : strings.lookTitle(tool.name)}
      text={waits ? strings.approveText : strings.offeredAs(tool.offeredName)}
    >
      <Changes tool={tool} />
      {isApiError(error, 'CONFLICT') && <Notice tone="attention">{strings.toolChangedMeanwhile}</Notice>}
      {error !== undefined && !isApiError(error, 'CONFLICT') && <ErrorNote error={error} />}
      {waits && (
        <DialogActions>
          <CopyAsCurl operation="mcp.approve" parts={request} />
          <Guarded operation="mcp.approve">
            <Button kind="primary" busy={approve.isPending} onClick={() => void run()}>
              {strings.approveAction}
            </Button>
          </Guarded>
        </DialogActions>
      )}
    </Dialog>
  );
};
