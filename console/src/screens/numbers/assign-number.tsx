import type { PhoneNumber } from '@parlance/client';
import { Dialog } from '../../components/dialog.js';
import { ErrorNote } from '../../components/error-note.js';
import { toast } from '../../components/toasts.js';
import { useList } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { numberStrings as strings } from '../../strings/numbers.js';

/** Chooses the agent that answers a number, or nobody. */
export const AssignNumber = ({
  number: { id, phoneNumber, agentId },
  onClose,
}: {
  readonly number: PhoneNumber;
  readonly onClose: () => void;
}) => {
  const agents = useList('agents.list', {});
  const form = useContractForm('numbers.assign', {
    values: { agentId },
    parts: { params: { phId: id } },
    // The agents' own list tells their numbers.
    invalidates: ['numbers.', 'agents.'],
    onDone: ({ data }) => {
      toast.done(
        data.agentName === null
          ? strings.unassigned(phoneNumber)
          : strings.assigned(phoneNumber, data.agentName),
      );
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={strings.assignTitle(phoneNumber)} text={strings.assignText}>
      {agents.error !== null && <ErrorNote error={agents.error} retry={() => void agents.refresh()} />}
      <Form of={form} guards={false} submitLabel={strings.assignAction}>
        <SelectField
          name="agentId"
          label={strings.agent}
          empty={null}
          emptyLabel={strings.nobody}
          choices={(agents.rows ?? []).map((agent) => ({ value: agent.id, label: agent.name }))}
        />
      </Form>
    </Dialog>
  );
};
