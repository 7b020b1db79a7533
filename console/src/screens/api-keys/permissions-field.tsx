// Choosing permissions, by their subjects.
import { useController } from 'react-hook-form';
import { resources } from '../../data/roles.js';
import { messageIn } from '../../forms/error-message.js';
import { apiKeyStrings as strings } from '../../strings/api-keys.js';
import { actionName, resourceName } from '../../strings/permission-words.js';

/** @param own the permissions of the maker: others are not offered */
export const PermissionsField = ({
  name,
  own,
}: {
  readonly name: string;
  readonly own: readonly string[];
}) => {
  const { field: control, fieldState } = useController({ name });
  const chosen: readonly string[] = Array.isArray(control.value) ? control.value : [];
  const toggle = (permission: string): void =>
    control.onChange(
      chosen.includes(permission) ? chosen.filter((one) => one !== permission) : [...chosen, permission],
    );
  const message = messageIn(fieldState.error);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{strings.permissions}</legend>
      <p className="text-xs text-ink-soft">{strings.permissionsHint}</p>
      {resources.map((resource) => {
        const offered = resource.actions.filter((action) => own.includes(`${resource.name}:${action}`));
        if (offered.length === 0) return null;
        return (
          <fieldset key={resource.name} className="border-t border-line pt-2">
            <legend className="sr-only">{resourceName(resource.name)}</legend>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span aria-hidden className="w-full sm:w-56">
                {resourceName(resource.name)}
              </span>
              {offered.map((action) => (
                <label key={action} className="flex items-center gap-1.5">
                  <input
                    type="checkbox"
                    className="size-4 accent-accent"
                    checked={chosen.includes(`${resource.name}:${action}`)}
                    onBlur={control.onBlur}
                    onChange={() => toggle(`${resource.name}:${action}`)}
                  />
                  {actionName(action)}
                </label>
              ))}
            </div>
          </fieldset>
        );
      })}
      {message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
};
