/** Version of this client; equal to package.json's (kept by a test). */
export const CLIENT_VERSION = '0.1.0';
