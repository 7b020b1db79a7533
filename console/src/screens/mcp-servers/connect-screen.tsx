// Connecting a server of the catalog, or one of the organization's own.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Answered } from '../../components/answered.js';
import { ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Page } from '../../components/page.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useOperation } from '../../data/queries.js';
import { SelectField } from '../../forms/choice-fields.js';
import { useContractForm } from '../../forms/contract-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import { Form } from '../../forms/form.js';
import { componentStrings } from '../../strings/components.js';
import { mcpStrings as strings } from '../../strings/mcp-servers.js';
import { AuthFields, choicesOf, PolicyFields } from './auth-fields.js';
import { type CatalogEntry, type ConnectValues, connectBody } from './connection-facts.js';

const route = getRouteApi('/app/mcp-servers/connect');

const firstOf = (entry: CatalogEntry | undefined): ConnectValues => ({
  name: '',
  url: '',
  transport: entry?.transport ?? 'streamable_http',
  authType: entry?.auth.type ?? 'none',
  headerName: entry?.auth.headerName ?? '',
  secretId: null,
  // The careful choice: a later change of a server waits for a person.
  approvalPolicy: 'per_tool',
  timeoutMs: 30_000,
});

const Connect = ({ entry }: { readonly entry: CatalogEntry | undefined }) => {
  const navigate = useNavigate();
  const toBody = (values: ConnectValues) => connectBody(values, entry);
  const form = useContractForm('mcp.connect', {
    values: firstOf(entry),
    draft: `mcp.connect.${entry?.slug ?? 'own'}`,
    toBody,
    onDone: async ({ data }) => {
      // The form has done its work: a step back from the connection is to the list.
      const params = { connectionId: data.id };
      await navigate({ to: '/mcp-servers/$connectionId', params, replace: true });
      toast.done(
        data.status === 'connected' ? strings.connectedNow(data.name) : strings.triedToConnect(data.name),
      );
    },
  });
  return (
    <Form
      of={form}
      submitLabel={strings.connectAction}
      actions={<ButtonLink to="/mcp-servers">{componentStrings.cancel}</ButtonLink>}
    >
      {entry === undefined && (
        <>
          <TextField name="name" label={strings.name} />
          <TextField name="url" label={strings.url} hint={strings.urlHint} type="url" />
          <SelectField name="transport" label={strings.transport} choices={choicesOf(strings.transports)} />
        </>
      )}
      <AuthFields />
      <PolicyFields />
      <NumberField name="timeoutMs" label={strings.timeout} unit={strings.milliseconds} />
    </Form>
  );
};

export const ConnectScreen = () => {
  const { entry: slug } = route.useSearch();
  const catalog = useOperation('mcp.catalog', {}, { enabled: slug !== undefined });
  const named = catalog.data?.find((entry) => entry.slug === slug);
  return (
    <Page
      title={named === undefined ? strings.connectTitle : strings.connectNamed(named.name)}
      intro={named?.description}
      back={{ to: '/mcp-servers', label: strings.title }}
    >
      <Card className="max-w-xl">
        {slug === undefined ? (
          <Connect entry={undefined} />
        ) : (
          <Answered query={catalog}>
            {() =>
              named === undefined ? (
                <Notice tone="attention">{strings.unknownEntry}</Notice>
              ) : (
                <Connect entry={named} />
              )
            }
          </Answered>
        )}
      </Card>
    </Page>
  );
};
