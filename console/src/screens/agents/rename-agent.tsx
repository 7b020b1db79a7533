import type { Agent } from '@parlance/client';
import { Dialog } from '../../components/dialog.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { agentStrings as strings } from '../../strings/agents.js';

export const RenameAgent = ({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) => {
  const form = useContractForm('agents.update', {
    values: { name: agent.name },
    parts: { params: { agentId: agent.id } },
    onDone: ({ data }) => {
      toast.done(strings.renamed(data.name));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.renameTitle(agent.name)}>
      <Form of={form} guards={false} submitLabel={strings.rename} onlyChanges>
        <TextField name="name" label={strings.name} />
      </Form>
    </Dialog>
  );
};
