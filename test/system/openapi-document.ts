import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  documentedObjects,
  documentedOperations,
  type DocumentedOperation,
  type DocumentedSchema,
} from '../../apps/api/src/public/documented-operations.js';

export type { DocumentedOperation };

/** An answer as far as it is compared with the document. */
export interface ComparedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** GET /openapi.json of a running service, and what answers are compared with it by. */
export class OpenApiDocument {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  private constructor(
    document: object,
    readonly operations: readonly DocumentedOperation[],
    /** Schemas by name. */
    readonly objects: Readonly<Record<string, DocumentedSchema>>,
  ) {
    this.ajv.addSchema(document, 'openapi');
  }

  static async read(serviceUrl: string): Promise<OpenApiDocument> {
    const document = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as Parameters<
      typeof documentedOperations
    >[0];
    return new OpenApiDocument(
      document,
      documentedOperations(document),
      documentedObjects(document),
    );
  }

  find(method: string, path: string): DocumentedOperation {
    const found = this.operations.find((one) => one.method === method && one.path === path);
    if (!found) throw new Error(`${method} ${path} is not documented`);
    return found;
  }

  /** What of an answer the document does not have: its status, its type or its form. Empty when all is well. */
  problems(
    { method, path, responses }: DocumentedOperation,
    { status, contentType, text }: ComparedAnswer,
  ): readonly string[] {
    const what = `${method} ${path} ${status}`;
    const response = responses[status];
    if (!response) return [`${what}: no such status`];
    const type = contentType.split(';')[0] ?? '';
    if (!response.content) return text === '' || status < 400 ? [] : [`${what}: a body`];
    const isJson = type === 'application/json';
    if (!response.content[type]) return [`${what}: no such type: ${type}`];
    if (!isJson) return [];
    const steps = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', type];
    const validate = this.validator([...steps, 'schema']);
    return validate(JSON.parse(text)) ? [] : [`${what}: ${this.ajv.errorsText(validate.errors)}`];
  }

  /** Whether a value fits a field of the JSON body of an operation. */
  takes({ method, path }: DocumentedOperation, value: unknown): boolean {
    const steps = ['paths', path, method.toLowerCase(), 'requestBody', 'content'];
    return Boolean(this.validator([...steps, 'application/json', 'schema'])(value));
  }

  private validator(steps: readonly string[]): ValidateFunction {
    const pointer = steps
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const known = this.compiled.get(pointer);
    if (known) return known;
    const validate = this.ajv.compile({ $ref: `openapi#/${pointer}` });
    this.compiled.set(pointer, validate);
    return validate;
  }
}
