package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.template.Account;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An Invoke that may go ahead: the function exists and the payload is JSON of a legal size. */
record InvokeRequest(
    Function function,
    InvocationType type,
    byte[] payload,
    String invokedArn,
    Optional<String> clientContext,
    boolean logTail) {

  private static final Pattern PATH =
      Pattern.compile("/2015-03-31/functions/([^/]+)/invocations/?");
  private static final Pattern QUALIFIER = Pattern.compile("(?:^|&)Qualifier=([^&]*)");
  private static final int CLIENT_CONTEXT_LIMIT = 3583;
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  /** A request, or the error it gets. */
  sealed interface Parsed {
    record Accepted(InvokeRequest request) implements Parsed {}

    record Refused(ServiceError error) implements Parsed {}
  }

  /**
   * Checks in the order in which Lambda answers: operation, name, function, type, size, content.
   *
   * @param length of the body as sent; {@code body} may be cut off above the limit
   */
  static Parsed parse(
      HttpExchange exchange,
      byte[] body,
      long length,
      Map<String, Function> functions,
      Account account) {
    Matcher path = PATH.matcher(exchange.getRequestURI().getRawPath());
    if (!exchange.getRequestMethod().equals("POST") || !path.matches()) {
      return new Parsed.Refused(ServiceError.unknownOperation());
    }
    Optional<FunctionReference> name = decode(path.group(1)).flatMap(FunctionReference::parse);
    if (name.isEmpty()) {
      return new Parsed.Refused(ServiceError.invalidName());
    }
    Optional<String> query = qualifier(exchange.getRequestURI().getRawQuery());
    Optional<String> qualifier = query.or(name.get()::qualifier);
    if (name.get().qualifier().isPresent() && !name.get().qualifier().equals(qualifier)) {
      return new Parsed.Refused(
          ServiceError.invalidParameter(
              "The derived qualifier from the function name does not match the specified"
                  + " qualifier."));
    }
    return parse(
        exchange.getRequestHeaders(), body, length, functions, account, name.get(), qualifier);
  }

  private static Parsed parse(
      Headers headers,
      byte[] body,
      long length,
      Map<String, Function> functions,
      Account account,
      FunctionReference name,
      Optional<String> qualifier) {
    String arn = account.functionArn(name.name()) + qualifier.map(text -> ":" + text).orElse("");
    Optional<ServiceError> misplaced = misplaced(name, account);
    if (misplaced.isPresent()) {
      return new Parsed.Refused(misplaced.get());
    }
    Function function = functions.get(name.name());
    if (function == null || qualifier.filter(text -> !has(function, text)).isPresent()) {
      return new Parsed.Refused(ServiceError.functionNotFound(arn));
    }
    String typeHeader = headers.getFirst("X-Amz-Invocation-Type");
    Optional<InvocationType> type =
        InvocationType.of(typeHeader == null ? "RequestResponse" : typeHeader);
    if (type.isEmpty()) {
      return new Parsed.Refused(
          ServiceError.invalidParameter("X-Amz-Invocation-Type is no invocation type"));
    }
    if (length > type.get().limit()) {
      return new Parsed.Refused(
          ServiceError.tooLarge(length, type.get().header(), type.get().limit()));
    }
    if (body.length > 0 && !jsonType(headers.getFirst("Content-Type"))) {
      return new Parsed.Refused(ServiceError.unsupportedMediaType());
    }
    Optional<String> fault = body.length == 0 ? Optional.empty() : JsonText.fault(body);
    if (fault.isPresent()) {
      return new Parsed.Refused(ServiceError.notJson(fault.get()));
    }
    String context = headers.getFirst("X-Amz-Client-Context");
    Optional<String> clientContext = Optional.ofNullable(context).flatMap(InvokeRequest::base64);
    if (context != null && clientContext.isEmpty()) {
      return new Parsed.Refused(
          ServiceError.invalidParameter(
              "X-Amz-Client-Context is not base64 of at most 3583 bytes"));
    }
    byte[] payload = body.length == 0 ? EMPTY_OBJECT : body;
    return new Parsed.Accepted(
        new InvokeRequest(
            function,
            type.get(),
            payload,
            arn,
            clientContext,
            "Tail".equals(headers.getFirst("X-Amz-Log-Type"))));
  }

  private static Optional<ServiceError> misplaced(FunctionReference name, Account account) {
    if (name.region().filter(region -> !region.equals(account.region())).isPresent()) {
      return Optional.of(ServiceError.otherRegion(name.region().get(), account.region()));
    }
    return name.account()
        .filter(id -> !id.equals(account.id()))
        .map(
            id -> ServiceError.otherAccount("arn:aws:lambda:*:" + id + ":function:" + name.name()));
  }

  private static boolean has(Function function, String qualifier) {
    return qualifier.equals("$LATEST")
        || function
            .settings()
            .alias()
            .filter(alias -> qualifier.equals(alias) || qualifier.equals("1"))
            .isPresent();
  }

  /**
   * Clients that know no better send octet-stream (SDKs) or a form type (curl); Lambda takes both.
   */
  private static boolean jsonType(String contentType) {
    if (contentType == null) {
      return true;
    }
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.endsWith("json")
        || type.startsWith("application/x-amz-json-")
        || Arrays.asList(
                "application/octet-stream",
                "binary/octet-stream",
                "application/x-www-form-urlencoded")
            .contains(type);
  }

  private static Optional<String> qualifier(String rawQuery) {
    if (rawQuery == null) {
      return Optional.empty();
    }
    Matcher qualifier = QUALIFIER.matcher(rawQuery);
    return qualifier.find() ? decode(qualifier.group(1)) : Optional.empty();
  }

  private static Optional<String> decode(String text) {
    try {
      return Optional.of(URLDecoder.decode(text, UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> base64(String text) {
    try {
      return text.length() > CLIENT_CONTEXT_LIMIT
          ? Optional.empty()
          : Optional.of(new String(Base64.getDecoder().decode(text), UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
