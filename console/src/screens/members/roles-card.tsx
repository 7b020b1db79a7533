// The permissions of each role, as the contract's table says.
import { Card } from '../../components/card.js';
import { permissionsOfRole, type Role, resources, roles } from '../../data/roles.js';
import { memberStrings as strings } from '../../strings/members.js';
import { actionName, resourceName } from '../../strings/permission-words.js';

const actionsOf = (role: Role, resource: string, actions: readonly string[]): string => {
  const held = new Set(permissionsOfRole(role));
  const allowed = actions.filter((action) => held.has(`${resource}:${action}`));
  return allowed.length === 0 ? strings.nothing : allowed.map(actionName).join(', ');
};

const Cell = ({ text }: { readonly text: string }) => (
  <td className="py-2 pr-4">
    <span className={text === strings.nothing ? 'text-ink-soft' : ''}>{text}</span>
  </td>
);

export const RolesCard = () => (
  <Card title={strings.rolesTitle}>
    <ul className="mb-4 flex flex-col gap-1">
      {roles.map((role) => (
        <li key={role}>
          <span className="font-medium">{strings.roles[role]}:</span> {strings.roleTexts[role]}
        </li>
      ))}
    </ul>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with keys */}
    <section aria-label={strings.rolesCaption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-2xl text-left">
        <caption className="sr-only">{strings.rolesCaption}</caption>
        <thead>
          <tr className="text-xs text-ink-soft">
            <th scope="col" className="py-1 pr-4 font-medium">
              {strings.subject}
            </th>
            {roles.map((role) => (
              <th key={role} scope="col" className="py-1 pr-4 font-medium">
                {strings.roles[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map(({ name, actions }) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-2 pr-4 font-normal">
                {resourceName(name)}
              </th>
              {roles.map((role) => (
                <Cell key={role} text={actionsOf(role, name, actions)} />
              ))}
            </tr>
          ))}
          <tr className="border-t border-line">
            <th scope="row" className="py-2 pr-4 font-normal">
              {strings.organizationRow}
            </th>
            {roles.map((role) => (
              <Cell
                key={role}
                text={role === 'owner' || role === 'admin' ? strings.manages : strings.nothing}
              />
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  </Card>
);
