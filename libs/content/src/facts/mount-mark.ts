import { type Element } from 'domhandler';

/** Ids under which the usual starters of applications mount. */
const MOUNT_IDS = new Set(
  'root app __next __nuxt __layout ___gatsby app-root react-root reactroot reactapp react-app vue-app svelte main-app app-mount appmount app-container spa-root spa q-app ember-app ember-application elm mount mount-point application __sapper__ __docusaurus root-app app-main app-wrapper approot'.split(
    ' ',
  ),
);

/** Attributes by which frameworks mark where they mount. */
const MOUNT_ATTRIBUTES = new Set([
  'data-reactroot',
  'data-react-root',
  'data-react-app',
  'data-v-app',
  'data-server-rendered',
  'data-ember-extension',
  'ng-app',
  'data-ng-app',
  'ng-version',
  'ui-view',
]);

/** Elements that are an application: Angular, Polymer, Blazor, Meteor and their like. */
const MOUNT_NAMES = /^(?:[\w-]+-(?:app|root|shell)|app(?:-[\w-]+)?|ui-view)$/;

/**
 * Mark of an element where an application mounts, as a selector would write it; undefined of any
 * other.
 *
 * @param looksAtAttributes frameworks' attributes count too; only reading them is expensive
 */
export function mountMarkOf(
  { name, attribs }: Element,
  looksAtAttributes: boolean,
): string | undefined {
  const { id } = attribs;
  if (id !== undefined && MOUNT_IDS.has(id.toLowerCase())) return `#${id}`;
  if (name.includes('-') || name === 'app') return MOUNT_NAMES.test(name) ? name : undefined;
  if (!looksAtAttributes) return undefined;
  if (name !== 'div' && name !== 'body' && name !== 'main' && name !== 'section') return undefined;
  for (const attribute in attribs) {
    if (MOUNT_ATTRIBUTES.has(attribute)) return `[${attribute}]`;
  }
  return undefined;
}
