package dev.spillway.locallambda;

import dev.spillway.locallambda.fault.Effect;
import java.util.Optional;

/**
 * An error of the service itself, not of a function. Codes, statuses and the case of the message
 * key follow Lambda's API model (2015-03-31): the key is part of each error's shape.
 *
 * @param reason only throttling has one
 */
record ServiceError(
    int status, String code, String messageKey, String message, Optional<String> reason) {

  static ServiceError functionNotFound(String arn) {
    return upper(404, "ResourceNotFoundException", "Function not found: " + arn);
  }

  static ServiceError otherRegion(String theirs, String ours) {
    return upper(
        404,
        "ResourceNotFoundException",
        "Functions from '%s' are not reachable in this region ('%s')".formatted(theirs, ours));
  }

  static ServiceError otherAccount(String arn) {
    return upper(
        403,
        "AccessDeniedException",
        "not authorized to perform: lambda:InvokeFunction on resource: " + arn);
  }

  static ServiceError unknownOperation() {
    return upper(
        403,
        "AccessDeniedException",
        "Unable to determine service/operation name to be authorized");
  }

  static ServiceError invalidParameter(String message) {
    return lower(400, "InvalidParameterValueException", message);
  }

  static ServiceError invalidName() {
    return lower(
        400,
        "ValidationException",
        "1 validation error detected: Value at 'functionName' failed to satisfy constraint:"
            + " Member must be a function name, a partial ARN or an ARN");
  }

  static ServiceError notJson(String where) {
    return lower(
        400, "InvalidRequestContentException", "Could not parse request body into json: " + where);
  }

  static ServiceError tooLarge(long length, String type, int limit) {
    return lower(
        413,
        "RequestEntityTooLargeException",
        "%s byte payload is too large for the %s invocation type (limit %s bytes)"
            .formatted(length, type, limit));
  }

  static ServiceError unsupportedMediaType() {
    return lower(
        415,
        "UnsupportedMediaTypeException",
        "The content type of the Invoke request body is not JSON.");
  }

  static ServiceError unsigned() {
    return lower(403, "MissingAuthenticationTokenException", "Missing Authentication Token");
  }

  static ServiceError incompleteSignature() {
    return lower(
        403,
        "IncompleteSignatureException",
        "Authorization header requires 'Credential', 'Signature' and 'SignedHeaders' parameters,"
            + " and 'X-Amz-Date' or a 'Date' header.");
  }

  static ServiceError unknownKey() {
    return lower(
        403,
        "UnrecognizedClientException",
        "The security token included in the request is invalid.");
  }

  static ServiceError wrongSignature() {
    return invalidSignature(
        "The request signature we calculated does not match the signature you provided. Check your"
            + " AWS Secret Access Key and signing method. Consult the service documentation for"
            + " details.");
  }

  static ServiceError invalidSignature(String message) {
    return lower(403, "InvalidSignatureException", message);
  }

  /** The key of the message follows the error's shape, here as everywhere. */
  static ServiceError injected(Effect.Refused refused) {
    boolean lower = refused.status() == 413 || refused.status() == 429;
    return new ServiceError(
        refused.status(),
        refused.code(),
        lower ? "message" : "Message",
        refused.message(),
        refused.reason());
  }

  static ServiceError throttled(boolean reserved) {
    return new ServiceError(
        429,
        "TooManyRequestsException",
        "message",
        "Rate Exceeded.",
        Optional.of(
            reserved
                ? "ReservedFunctionConcurrentInvocationLimitExceeded"
                : "ConcurrentInvocationLimitExceeded"));
  }

  static ServiceError internal() {
    return upper(500, "ServiceException", "local-lambda failed; its log says why");
  }

  /** The caller's fault, or ours. */
  String type() {
    return status < 500 ? "User" : "Service";
  }

  private static ServiceError lower(int status, String code, String message) {
    return new ServiceError(status, code, "message", message, Optional.empty());
  }

  private static ServiceError upper(int status, String code, String message) {
    return new ServiceError(status, code, "Message", message, Optional.empty());
  }
}
