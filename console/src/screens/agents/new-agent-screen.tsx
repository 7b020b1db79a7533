import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { agentStrings as strings } from '../../strings/agents.js';
import { componentStrings } from '../../strings/components.js';

const first = { name: '', isActive: true, templateId: 'business' };
const templates = Object.entries(strings.templates).map(([value, label]) => ({ value, label }));

export const NewAgentScreen = () => {
  const navigate = useNavigate();
  const form = useContractForm('agents.create', {
    values: first,
    draft: 'agents.create',
    onDone: async ({ data }) => {
      // An agent with a configuration can be tried at once; one without has to get it first.
      await navigate({
        to: '/agents/$agentId',
        params: { agentId: data.id },
        search: { tab: data.hasConfig ? 'try' : 'configuration' },
      });
      toast.done(strings.created(data.name));
    },
  });
  return (
    <Page title={strings.createTitle} back={{ to: '/agents', label: strings.title }}>
      <Card className="max-w-xl">
        <Form
          of={form}
          submitLabel={strings.createAction}
          actions={<ButtonLink to="/agents">{componentStrings.cancel}</ButtonLink>}
        >
          <TextField name="name" label={strings.name} hint={strings.nameHint} />
          <SelectField name="templateId" label={strings.template} choices={templates} />
          <SwitchField name="isActive" label={strings.active} hint={strings.activeHint} />
        </Form>
      </Card>
    </Page>
  );
};
