import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../components/button.js';
import { Page } from '../../components/page.js';
import { toast } from '../../components/toasts.js';
import { useContractForm } from '../../forms/contract-form.js';
import { Form } from '../../forms/form.js';
import { componentStrings } from '../../strings/components.js';
import { toolStrings as strings } from '../../strings/tools.js';
import { ToolFields } from './tool-fields.js';
import { bodyOf, firstValues } from './values.js';

export const NewToolScreen = () => {
  const navigate = useNavigate();
  const form = useContractForm('tools.create', {
    values: firstValues,
    draft: 'tools.create',
    // Its headers and its address may hold credentials.
    secretFields: ['request'],
    toBody: bodyOf,
    invalidates: ['tools.', 'secrets.'],
    onDone: async ({ data }) => {
      await navigate({ to: '/tools/$toolId', params: { toolId: data.id }, search: { tab: 'test' } });
      toast.done(strings.created(data.name));
    },
  });
  return (
    <Page title={strings.create} back={{ to: '/tools', label: strings.title }}>
      <Form
        of={form}
        submitLabel={strings.createAction}
        actions={<ButtonLink to="/tools">{componentStrings.cancel}</ButtonLink>}
      >
        <ToolFields />
      </Form>
    </Page>
  );
};
