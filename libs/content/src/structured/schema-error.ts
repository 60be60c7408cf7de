/** A schema of a request is refused. The message completes "`schema` …" for the caller. */
export class SchemaError extends Error {}
