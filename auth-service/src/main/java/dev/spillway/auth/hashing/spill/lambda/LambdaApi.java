package dev.spillway.auth.hashing.spill.lambda;

import io.quarkus.rest.client.reactive.Url;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import org.jboss.resteasy.reactive.RestResponse;

/** A synchronous call of a function by the Invoke API: a signed POST of the event. */
@Path("/")
interface LambdaApi {
  /** As AWS's own clients call the number of a call, the same for all its requests. */
  String CALL = "amz-sdk-invocation-id";

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Produces(MediaType.APPLICATION_JSON)
  Uni<RestResponse<byte[]>> post(@Url URI function, @HeaderParam(CALL) String call, byte[] event);
}
