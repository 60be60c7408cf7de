// JSON schemas for kubeconform, from Kubernetes' OpenAPI document and from custom resource definitions. Strict: a key that
// the definition does not name is an error.
const metadata = {
  $ref: '_definitions.json#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
};
/** Kept out: kubeconform does not use them, or reads them differently. */
const ignored = new Set(['format', 'default', 'description']);
const quantity = {
  anyOf: [
    { type: 'string', pattern: '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$' },
    { type: 'number' },
  ],
};

/** File names and schemas of the built-in kinds. `swagger`: api/openapi-spec/swagger.json. */
export function kubernetesSchemas({ definitions }) {
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      name.endsWith('api.resource.Quantity') ? quantity : strictly(definition),
    ]),
  );
  const kinds = Object.entries(definitions).flatMap(([name, definition]) => {
    const [kind, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
    return kind && others.length === 0 ? [schemaOf(kind, strict[name])] : [];
  });
  return [['_definitions.json', { definitions: strict }], ...kinds];
}

/** File names and schemas of the versions of a CustomResourceDefinition. */
export function resourceSchemas(definition) {
  if (definition?.kind !== 'CustomResourceDefinition') return [];
  const { group, names, versions } = definition.spec;
  return versions.map(({ name: version, schema }) => {
    const strict = strictly(schema.openAPIV3Schema);
    return schemaOf(
      { group, version, kind: names.kind },
      { ...strict, properties: { ...strict.properties, metadata } },
    );
  });
}

function schemaOf({ group, version, kind }, schema) {
  const part = group ? `-${group.split('.')[0]}` : '';
  return [
    `${kind}${part}-${version}.json`.toLowerCase(),
    {
      ...schema,
      properties: {
        ...schema.properties,
        apiVersion: { const: group ? `${group}/${version}` : version },
        kind: { const: kind },
      },
      required: [...new Set([...(schema.required ?? []), 'apiVersion', 'kind'])],
    },
  ];
}

function strictly(schema) {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string')
    return { anyOf: [{ type: 'integer' }, { type: 'string' }] };
  const kept = Object.entries(schema).filter(
    ([key]) => !ignored.has(key) && !key.startsWith('x-kubernetes'),
  );
  const result = Object.fromEntries(kept.map(([key, value]) => [key, partOf(key, value)]));
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.properties && result.additionalProperties === undefined && !isOpen)
    result.additionalProperties = false;
  return result;
}

/** Names of properties may be those of keywords. */
function partOf(key, value) {
  if (key === '$ref') return value.replace(/^#/, '_definitions.json#');
  if (key !== 'properties') return strictly(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, strictly(property)]),
  );
}
