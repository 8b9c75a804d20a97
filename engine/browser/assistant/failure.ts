/** Failures of a question, as codes. */

export type Code = "network" | "rejected" | "rate_limited" | "unavailable" | "broken_off" | "invalid_config";

const RETRYABLE: readonly Code[] = ["network", "rate_limited", "unavailable", "broken_off"];
const TOO_MANY = 429;
const SERVER_ERRORS = 500;

export class Failure extends Error {
  constructor(
    readonly code: Code,
    message = "",
    readonly status?: number,
  ) {
    super(message);
  }

  get retryable(): boolean {
    return RETRYABLE.includes(this.code);
  }

  /** Return the failure of a response with an error status, with its reason. */
  static async of(response: Response): Promise<Failure> {
    const { status } = response;
    const code = status === TOO_MANY ? "rate_limited" : status >= SERVER_ERRORS ? "unavailable" : "rejected";
    const body = (await response.json().catch(() => null)) as { error?: string } | null;
    return new Failure(code, String(body?.error ?? response.statusText), status);
  }
}
