/** The field of a form that a path of the platform names: `body.steps[0].name` is `steps.0.name`. */
export const fieldOfPath = (path: string): string =>
  path.replace(/^body\.?/, '').replaceAll(/\[(\d+)\]/g, '.$1');
